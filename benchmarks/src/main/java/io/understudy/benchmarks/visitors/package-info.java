/** A Tomcat and a Jetty of one cluster, and the users, crowds and strangers that visit them. */
@NullMarked
package io.understudy.benchmarks.visitors;

import org.jspecify.annotations.NullMarked;
