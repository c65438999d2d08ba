package onnx

var mlModelOps = map[string]operation{}
