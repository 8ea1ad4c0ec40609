# Replicates the sessions of all web applications of this server.

[description]
Replicates HTTP sessions between all nodes of a cluster (Understudy): any node can take over any session at any moment.

[tags]
session

[provides]
session-store
session-cache

[depend]
sessions

[lib]
lib/understudy/*.jar

[xml]
etc/sessions/understudy.xml

[ini]
jetty.webapp.addHiddenClasses+=,${jetty.base.uri}/lib/understudy/

[ini-template]
## All nodes of a cluster have the same clusterName. Remove the # of what you want to be different.

## Members with the same name form one cluster.
# understudy.clusterName=understudy

## This node's name in logs. The default is the host name and the process id.
# understudy.nodeName=

## auto: UDP multicast to the members that confirm that they receive it, TCP to the others; the node checks this all the time. tcp or udp: only that.
# understudy.transport=auto

## Address of this host that the members use: an IPv4 or IPv6 address, a host name, an interface such as eth1, or a network such as 10.1.0.0/16.
# understudy.bindAddress=127.0.0.1

## TCP port. Without hosts and dnsName, the next 9 ports are tried if it is in use.
# understudy.bindPort=7800

## Comma-separated addresses of members to query, as host:port, or [address]:port with IPv6, for tcp and auto. If none of hosts, dnsName, discoveryDirectory and discoveryDatabase is set, the node queries the ports from bindPort on at bindAddress. On an interface with multicast, and without TLS, it uses multicast, too; auto also beside hosts and the others.
# understudy.hosts=

## DNS name with the addresses of members, each at this node's bindPort, such as a headless service of Kubernetes. A name that begins with _ also has the ports (SRV). dns://server:port/name queries that server.
# understudy.dnsName=

## Directory on a file system that all nodes share. Each node writes its address there.
# understudy.discoveryDirectory=

## JDBC URL of a database in which each node writes its address, into a table that is created if it is missing. The driver is a library of the container.
# understudy.discoveryDatabase=

## User of discoveryDatabase.
# understudy.discoveryDatabaseUser=

## Password of discoveryDatabaseUser, or file: and the path of a file that contains it.
# understudy.discoveryDatabasePassword=

## File with your own JGroups stack, in XML. It replaces everything that transport and discovery configure. The start fails if something is missing in it.
# understudy.jgroupsStack=

## Multicast group of udp and auto, and of discovery. With an IPv6 bindAddress the default is ff15::78:0.
# understudy.multicastAddress=239.255.78.0

## Port of the multicast group. auto uses the next one, too.
# understudy.multicastPort=7820

## loopback: refuse any other interface; the default without secret and tlsKeyStore. secret: sealed, on any interface; the default with secret. tls: TLS, on any interface; the default with tlsKeyStore. none: unprotected, on any interface.
# understudy.security=

## Text that protects the traffic between members by encryption and authentication: 16 characters or more, the same on all nodes, or file: and the path of a file that contains it. Without the secret nobody can join, read or write.
# understudy.secret=

## Second secret that is also accepted, for changing secret node by node.
# understudy.formerSecret=

## Used in place of secret, over TCP: file with this node's key, its certificate and the chain of that certificate, as PKCS12 or JKS. A changed file takes effect while the node runs.
# understudy.tlsKeyStore=

## Password of tlsKeyStore and of the key in it, or file: and the path of a file that contains it.
# understudy.tlsKeyStorePassword=

## File with the certificates, usually of a CA, whose holders are members, as PKCS12 or JKS. A changed file takes effect while the node runs.
# understudy.tlsTrustStore=

## Password of tlsTrustStore if it has one, or file: and the path of a file that contains it.
# understudy.tlsTrustStorePassword=

## coherent: responses wait for acknowledgements. incoherent: they do not.
# understudy.coherence=coherent

## How many members have to acknowledge a coherent change. all: every other ready member. majority: so many that more than half of the ready members hold the change, this node included. one: one other member. With fewer than all the response is degraded. A change of the session id waits for all in any case.
# understudy.acks=all

## Comma-separated paths of the application whose requests are coherent in any mode: /exact, /prefix/*, *.ext.
# understudy.coherentPaths=

## Comma-separated paths of the application whose requests are incoherent in any mode. A path in both lists is coherent.
# understudy.incoherentPaths=

## Longest wait of a coherent response. Keep it longer than failure detection takes.
# understudy.ackTimeout=7s

## What happens if acknowledgements do not come in time, or no other member is there: proceed, or refuse with 503.
# understudy.onDegraded=proceed

## Name of a header of degraded responses, with the value true. Empty disables it.
# understudy.degradedHeader=

## Name prefix of the version cookie. The next node uses the cookie to detect that its replica is behind what the client has seen, and waits for the missing changes. Empty disables it.
# understudy.versionCookie=

## Secret that signs the version cookie: 16 characters or more, the same on all nodes, or file: and the path of a file that contains it. Required with versionCookie.
# understudy.versionCookieSecret=

## Longest time that a node waits for missing changes. Then it serves what it has, as a degraded response.
# understudy.versionCookieWait=500ms

## on: only one request of a session runs at a time, on all nodes together.
# understudy.sessionLock=off

## Comma-separated paths of the application whose requests take the lock.
# understudy.lockPaths=/*

## Longest time that a request waits for the lock. Keep it longer than ackTimeout.
# understudy.lockTimeout=10s

## What happens after lockTimeout: refuse with 503, or proceed without the lock.
# understudy.onLockTimeout=refuse

## warn: an attribute that cannot be replicated stays on its node, with a warning. fail: setAttribute throws IllegalArgumentException with the reason, and the attribute keeps its old value.
# understudy.onNotReplicable=warn

## once: only the node that ends a session calls its listeners. everywhere: each other node on which a request used the session also calls its listeners afterwards, for libraries that keep a list of sessions in each node's memory.
# understudy.endEvents=once

## For development. log: after each request its attributes are encoded, decoded and compared. Each difference that another node would see is logged with its path, such as cart.items[3].price.
# understudy.sessionDoctor=off

## How long a starting node looks for other members before it serves requests alone: serve is not at all, wait 10s is 10 seconds. auto waits 10 seconds if hosts names others, or if dnsName, discoveryDirectory, discoveryDatabase or jgroupsStack is set.
# understudy.startAlone=auto

## Longest time that a starting node rehearses requests before it is ready, so that the JVM has compiled their code. It ends early when a request arrives. off disables it.
# understudy.warmUp=3s

## How often a node sends access times, for many sessions at once.
# understudy.touchInterval=1s

## About how often members compare what they hold, beside the comparisons after joins and failures.
# understudy.reconcileInterval=60s

## Longest time that the end of a session is remembered. Within it, a partition cannot bring an ended session back.
# understudy.tombstoneHorizon=24h

## How long a node keeps the sessions of an application that is undeployed there, and acknowledges their changes. 0s disables it.
# understudy.retainUndeployed=15m

## on: the last node that stops in order writes the sessions to a file, and its next start reads them.
# understudy.keepSessions=off

## Directory of the files of keepSessions. They contain session data, and only their owner can read them. Required with keepSessions.
# understudy.keepDirectory=

## Classes that attributes can hold beside the application's own, and, with !, classes that they cannot: com.acme.**;!com.acme.old.*. The syntax is that of java.io.ObjectInputFilter, without limits.
# understudy.attributeFilter=

## loader: the class loader of a class and attributeFilter decide whether attributes can hold it. learn FILE: the file also collects the classes that are met. enforce FILE: of these classes, only those in the file are allowed.
# understudy.attributeClasses=loader

## Longest encoding of one attribute, at most the default. A longer one stays on its node, with a warning.
# understudy.maxAttributeBytes=1048576

## Limit for all encoded attributes of a session, each with its name and 64 bytes. Removed attributes that are remembered, 512 at most, count as well. An attribute that exceeds the limit stays on its node, with a warning.
# understudy.maxSessionBytes=16777216

## New sessions without attributes. announce: many in one message for each touchInterval, unless the request waits. replicate: each at once. local: not until they have attributes.
# understudy.emptySessions=announce

## Heap for the sessions of all applications: bytes, also as 512m or 2g, or a share of the maximum heap. Above it the attributes of the sessions used least recently go to disk. Above three quarters of it few objects of attributes are kept in memory between requests.
# understudy.maxMemory=40%

## Directory for attributes on disk. Each node creates its own directory in it, and deletes that when it stops. The default is understudy- and the user's name, in the directory for temporary files.
# understudy.spillDirectory=

## How many requests of this node can wait at once, for other members or for a session's lock. Another one is answered with 503 at once, and a logout goes on without waiting. Use about half of the container's threads.
# understudy.maxWaitingRequests=100

## Share of a processor for rehearsals: a node decodes attributes that other members wrote, outside of requests, to find out which sessions it could not take over. off disables them.
# understudy.takeOverRehearsal=0.5%

## Port of /ready, /metrics and /drain at bindAddress. -1 is off, 0 is any free port.
# understudy.healthPort=-1
