package onnx

var mlEncodeOps = map[string]operation{}
