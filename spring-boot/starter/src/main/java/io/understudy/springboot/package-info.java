/**
 * Spring Boot 3 and 4: {@link io.understudy.springboot.UnderstudyAutoConfiguration} replicates the sessions of the
 * application's embedded server, with the settings of its environment.
 */
@NullMarked
package io.understudy.springboot;

import org.jspecify.annotations.NullMarked;
