package onnx

import (
	"maps"
)

// operations are the operations by domain and name, "." between them.
var operations map[string]operation

// init fills the table, whose operations of graphs refer to it.
func init() {
	operations = merged(elementwiseOps, activationOps, shapeOps, indexOps, reduceOps, linearOps, poolOps, normOps, recurrentOps,
		controlOps, sequenceOps, quantOps, lossOps, attentionOps, imageOps, signalOps, mlModelOps, mlEncodeOps)
}

// merged is all entries of tables; a name in two of them is a programmer's error.
func merged(tables ...map[string]operation) map[string]operation {
	all := map[string]operation{}
	for _, t := range tables {
		for name := range t {
			if _, twice := all[name]; twice {
				panic("onnx: two entries for " + name)
			}
		}
		maps.Copy(all, t)
	}
	return all
}

// takesTexts are the operations that take tensors of strings.
var takesTexts = map[string]bool{
	".Identity": true, "ai.onnx.ml.ZipMap": true, "ai.onnx.ml.ArrayFeatureExtractor": true, ".Reshape": true, ".Squeeze": true, ".Flatten": true,
}
