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

## This node's name in logs; by default host name and process id.
# understudy.nodeName=

## auto: UDP multicast to the members that show that they hear it, TCP to the others, decided anew all the time. tcp or udp: always that.
# understudy.transport=auto

## What the members talk on: an address of this machine, IPv4 or IPv6, a host name of it, an interface such as eth1, or a network such as 10.1.0.0/16.
# understudy.bindAddress=127.0.0.1

## TCP port; without hosts and dnsName the next 9 are tried if it is taken.
# understudy.bindPort=7800

## Comma-separated host:port, or [address]:port with IPv6, of members to look for with tcp and auto. Without it, and without the next three: the ports from bindPort on at bindAddress, and multicast unless that is loopback. auto looks by multicast, too, in any case.
# understudy.hosts=

## Name in DNS with the addresses of members, each at the bindPort of this node: a headless service of Kubernetes. One that begins with _ has the ports, too (SRV). dns://server:port/name asks that server.
# understudy.dnsName=

## Directory, the same for all nodes on a shared file system, in which each writes its address.
# understudy.discoveryDirectory=

## JDBC URL of a database in which each node writes its address, into a table that is made if it is not there. The driver is a library of the container.
# understudy.discoveryDatabase=

## Its user.
# understudy.discoveryDatabaseUser=

## The user's password, or file: and the path of a file with it.
# understudy.discoveryDatabasePassword=

## File with a JGroups stack of your own, in XML, in place of all that transport and discovery have made of it; checked at the start for what is needed.
# understudy.jgroupsStack=

## Group address of udp and auto, and of discovery; with an IPv6 bindAddress ff15::78:0 if it is not set.
# understudy.multicastAddress=239.255.78.0

## Port of the multicast group; auto takes the next one, too.
# understudy.multicastPort=7820

## loopback: refuse any other interface; the default without secret and tlsKeyStore. secret: sealed, on any; the default with it. tls: TLS, on any; the default with tlsKeyStore. none: unprotected, on any.
# understudy.security=

## What the traffic between members is encrypted and authenticated with: 16 characters or more, the same on all nodes, or file: and the path of a file with it. Without the secret nobody joins, reads or writes.
# understudy.secret=

## A second secret, which is accepted besides: for exchanging secret one node after the other.
# understudy.formerSecret=

## In place of secret, over TCP: file with this node's key and its certificate, with what that leads to; PKCS12 or JKS. Exchanged while the node runs when the file changes.
# understudy.tlsKeyStore=

## Its password, and the key's, or file: and the path of a file with it.
# understudy.tlsKeyStorePassword=

## File with the certificates, of a CA mostly, whose holders are members; PKCS12 or JKS. Exchanged while the node runs, too.
# understudy.tlsTrustStore=

## Its password, if it has one, or file: and the path of a file with it.
# understudy.tlsTrustStorePassword=

## coherent: responses wait for acknowledgements. incoherent: they do not.
# understudy.coherence=coherent

## How many members a coherent response waits for: all that are ready, so many that a majority holds the change, or one. With fewer than all the response is degraded.
# understudy.acks=all

## Comma-separated paths of the application whose requests are coherent whatever the mode: /exact, /prefix/*, *.ext.
# understudy.coherentPaths=

## The same for incoherent requests; of a path of both kinds the request is coherent.
# understudy.incoherentPaths=

## Longest wait of a coherent response; above the time failure detection takes.
# understudy.ackTimeout=7s

## proceed or refuse (503) when acknowledgements did not come in time.
# understudy.onDegraded=proceed

## Name of a header, with value true, of degraded responses; empty is none.
# understudy.degradedHeader=

## How a cookie's name begins by which a node that the client comes to next knows whether it has all that the client has seen of its session, and waits for the rest; empty is none.
# understudy.versionCookie=

## What it is signed with: 16 characters or more, the same on all nodes; needed with versionCookie.
# understudy.versionCookieSecret=

## How long a node that is behind waits, at most, before it serves what it has: that response is degraded.
# understudy.versionCookieWait=500ms

## on: only one request of a session runs at a time, on all nodes together.
# understudy.sessionLock=off

## Comma-separated paths, in the application, of the requests that take the lock.
# understudy.lockPaths=/*

## How long a request waits for the lock; above ackTimeout.
# understudy.lockTimeout=10s

## refuse (503) or proceed without the lock when that time is over.
# understudy.onLockTimeout=refuse

## For development. log: after each request its attributes are encoded, decoded and compared; what another node would not get as it is here is logged with its path, such as cart.items[3].price.
# understudy.sessionDoctor=off

## Until when a node that finds no other serves alone: serve at once, wait 10s; auto waits 10s when hosts names others, or dnsName, discoveryDirectory, discoveryDatabase or jgroupsStack is set.
# understudy.startAlone=auto

## How often access times are sent, for many sessions at once.
# understudy.touchInterval=1s

## About how often members compare what they hold, whatever else makes them compare.
# understudy.reconcileInterval=60s

## The longest time the end of a session is remembered; below it a partition brings no ended session back.
# understudy.tombstoneHorizon=24h

## How long a node keeps, and goes on acknowledging, the sessions of an application that is undeployed there; 0s is not at all.
# understudy.retainUndeployed=15m

## on: the last node that stops in order writes the sessions to a file, which its next start reads.
# understudy.keepSessions=off

## Directory of these files, which hold session data and are readable by their owner only; needed with keepSessions.
# understudy.keepDirectory=

## Classes that attributes may hold besides the application's own, and that they may not: com.acme.**;!com.acme.old.*, as java.io.ObjectInputFilter has it, without bounds.
# understudy.attributeFilter=

## loader: where a class comes from, and attributeFilter, say whether it may be in attributes. learn FILE: the classes that are met are also collected in the file. enforce FILE: of them only those in the file may.
# understudy.attributeClasses=loader

## Larger encoded attributes stay on their node, named in a warning.
# understudy.maxAttributeBytes=1048576

## A session's encoded attributes together, with their names and 64 bytes each, and with those that were removed and are remembered, at most 512. Those that would make it larger stay on their node, named in a warning.
# understudy.maxSessionBytes=16777216

## New sessions without attributes: announce many in one message for each touchInterval, unless the request waits; replicate each at once; or keep them local until they have attributes.
# understudy.emptySessions=announce

## Heap that the sessions of all applications may take: bytes, also as 512m or 2g, or a share of the maximum heap. Beyond it the attributes of those used least recently are kept on disk, and the objects of their attributes are not kept in memory between requests.
# understudy.maxMemory=40%

## Where they are kept, in a directory that each node makes for itself and deletes at its end; by default understudy- and the user's name in the directory for temporary files.
# understudy.spillDirectory=

## Requests of this node that may wait at once, for other members or for a session's lock; one more is answered with 503 at once, and a logout goes on without waiting. About half of the container's threads, so that the others go on.
# understudy.maxWaitingRequests=100

## Port of /ready, /metrics and /drain at bindAddress; -1 is off, 0 any.
# understudy.healthPort=-1
