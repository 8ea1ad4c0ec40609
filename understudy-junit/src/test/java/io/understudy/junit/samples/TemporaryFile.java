package io.understudy.junit.samples;

import jakarta.servlet.ServletContext;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Fault: an upload is a file of the node, and the session has its name. */
@WebServlet("/*")
public final class TemporaryFile extends Sample {

    @Override
    String page(HttpServletRequest request) throws IOException {
        File directory = (File) request.getServletContext().getAttribute(ServletContext.TEMPDIR);
        String name = attribute(request, "upload");
        if (name == null) {
            Files.writeString(directory.toPath().resolve("upload.txt"), parameter(request, "text"));
            request.getSession().setAttribute("upload", "upload.txt");
            return "uploaded";
        }
        Path file = directory.toPath().resolve(name);
        return Files.exists(file) ? Files.readString(file) : "no such upload";
    }
}
