// Package api has the messages that clients and nodes exchange over HTTP.
//
// A submission goes to every party's node, the same to each. It holds the
// program, the settings and public inputs, never an owner's data: of these it
// holds names, which each owner's node looks up in its own folders. Who asks is
// the name in the certificate of the connection, which no message repeats.
//
// A [Client] makes the requests, over TLS that pins the node's name, and turns
// refusals into errors that name the node ([Refused]), and missing answers into
// errors that say why ([Unreachable]). A node reads requests with [ReadMessage]
// and writes answers with [Answer] and [Refuse]; every body has a bound.
package api
