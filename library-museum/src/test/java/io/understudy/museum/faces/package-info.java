/** The beans of a web application with Jakarta Faces, which has the libraries that the tests themselves do not have. */
@org.jspecify.annotations.NullMarked
package io.understudy.museum.faces;
