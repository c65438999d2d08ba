// Package api defines the messages that clients and nodes exchange over HTTP, and the client.
//
// A submission goes to every party's node, with the same content to each. It holds the program, the
// settings and the public inputs. It holds no private data: owners' inputs are named, and each owner's
// node looks the names up in its own folders. The sender of a message is the name in its TLS
// certificate; no message repeats it.
//
// A [Client] sends the requests over TLS that pins the node's name. It returns a node's refusal as
// [Refused] and a missing or invalid answer as [Unreachable]. A node reads requests with [ReadMessage]
// and writes answers with [Answer] and [Refuse]. Every message body has a maximum size.
package api
