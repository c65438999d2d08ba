// Package api has the messages that clients and nodes exchange over HTTP.
//
// A submission goes to every party's node, the same to each. It holds the
// program, the settings and public inputs, never an owner's data: of these it
// holds names, which each owner's node looks up in its own folders. Who asks is
// the name in the certificate of the connection, which no message repeats.
package api
