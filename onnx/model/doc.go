// Package model reads ONNX files, and writes those of models that Tacet fitted.
//
// It reads the fields of onnx.proto that an importer needs and skips the rest. The reader is written by hand and not
// generated, because:
//   - the runtime of generated code copies every field into memory. Here the content of large tensors stays in the
//     file until it is read: a model of 400 MB is opened in a few milliseconds.
//   - an error names the place: the offset in the file and the path of the field, such as "graph.node[3].attribute".
//   - the module for protocol buffers would be a dependency of every program that imports package tacet, for one
//     file format of 25 messages.
//
// Files are untrusted. Lengths are compared with the bytes that the enclosing message has before memory is allocated,
// messages are nested at most maxDepth deep, and a file has at most maxMessages of them.
package model
