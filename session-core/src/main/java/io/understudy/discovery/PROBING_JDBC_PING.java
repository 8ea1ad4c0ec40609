package io.understudy.discovery;

import io.understudy.config.ConfigException;
import io.understudy.config.Discovery;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import org.jgroups.Address;
import org.jgroups.View;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.JDBC_PING2;
import org.jgroups.protocols.PingData;
import org.jgroups.util.Responses;

/**
 * JDBC_PING2 whose rows are {@link SharedRegistry}: one for each node, in a table of its own that has JDBC_PING2's columns.
 *
 * <p>Threads: as JDBC_PING2. A connection is opened for each look into the table, and closed.
 */
final class PROBING_JDBC_PING extends JDBC_PING2 {

    private static final String TABLE = "understudy_nodes";

    private final Discovery settings;
    private final Driver driver;
    private final Properties login = new Properties();
    private final SharedRegistry entries;

    /** @throws ConfigException if there is no driver, or no connection */
    PROBING_JDBC_PING(String node, Discovery settings) {
        this.settings = settings;
        this.driver = Drivers.of(settings);
        this.entries = new SharedRegistry(node, "the table " + TABLE + " of " + settings.shownDatabase(), new Rows());
        if (!settings.databaseUser().isEmpty()) {
            login.setProperty("user", settings.databaseUser());
        }
        if (!settings.databasePassword().isEmpty()) {
            login.setProperty("password", settings.databasePassword());
        }
        setId(ClassConfigurator.getProtocolId(JDBC_PING2.class));
        registerShutdownHook(false);
        setInitializeSql("CREATE TABLE " + TABLE + " (address varchar(200) NOT NULL, name varchar(200), "
                + "cluster varchar(200) NOT NULL, ip varchar(200) NOT NULL, coord boolean, PRIMARY KEY (address))");
        setInsertSingleSql("INSERT INTO " + TABLE + " (address, name, cluster, ip, coord) VALUES (?, ?, ?, ?, ?)");
        setDeleteSingleSql("DELETE FROM " + TABLE + " WHERE address = ?");
        setSelectAllPingdataSql("SELECT address, name, ip, coord FROM " + TABLE + " WHERE cluster = ?");
    }

    @Override
    public void init() throws Exception {
        super.init();
        try {
            List<PingData> unused = readFromDB("");
        } catch (SQLException e) {
            throw new ConfigException("setting 'discoveryDatabase' is '" + settings.shownDatabase()
                    + "', where the table " + TABLE + " can't be created or read (" + e.getMessage()
                    + "): check the URL, 'discoveryDatabaseUser' and 'discoveryDatabasePassword', or create the table: "
                    + initialize_sql);
        }
    }

    /** It is known already. */
    @Override
    protected void loadDriver() {}

    @Override
    protected Connection getConnection() throws SQLException {
        Properties properties = new Properties();
        properties.putAll(login);
        Connection connection = driver.connect(settings.database(), properties);
        if (connection == null) {
            throw new SQLException(driver.getClass().getName() + " no longer accepts this URL");
        }
        return connection;
    }

    @Override
    public void findMembers(List<Address> members, boolean initial, Responses responses) {
        timer.execute(() -> entries.ask(this, view, members, initial));
    }

    @Override
    protected void handleView(View next, View before, boolean coordinatorChanged) {
        // Entries do not depend on views.
    }

    /** Called when the protocol stops. */
    @Override
    protected void remove(String cluster, Address node) {
        if (cluster != null && node != null) {
            entries.close(node);
        }
    }

    /** Of this cluster. */
    private final class Rows implements SharedRegistry.Store {

        @Override
        public List<PingData> read() throws Exception {
            return readFromDB(getClusterName());
        }

        @Override
        public void write(PingData own) throws SQLException {
            writeToDB(own, getClusterName());
        }

        @Override
        public void remove(Address node) throws SQLException {
            delete(getClusterName(), node);
        }
    }
}
