package hostile

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
)

// sortedByName sorts files whose order came from a map.
func sortedByName(all []File) []File {
	slices.SortFunc(all, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// message is an encoded message of protocol buffers, as ONNX files consist of.
type message []byte

// num returns m with a number as a field.
func (m message) num(field int, v uint64) message {
	return binary.AppendUvarint(binary.AppendUvarint(m, uint64(field)<<3), v)
}

// text returns m with bytes, or a message, as a field.
func (m message) text(field int, s string) message {
	return append(binary.AppendUvarint(binary.AppendUvarint(m, uint64(field)<<3|2), uint64(len(s))), s...)
}

// in returns m with a message as a field.
func (m message) in(field int, inner message) message { return m.text(field, string(inner)) }

// The numbers of fields in ONNX's messages.
const (
	graphOfModel, opsetsOfModel                             = 7, 8
	nodesOfGraph, initialOfGraph, inputsOfGraph, outOfGraph = 1, 5, 11, 12
	inputsOfNode, outputsOfNode, typeOfNode, attrsOfNode    = 1, 2, 4, 5
	dimsOfTensor, typeOfTensor, nameOfTensor, rawOfTensor   = 1, 2, 8, 9
	placeOfTensor, whereOfTensor                            = 13, 14
)

// value returns the message of an input or output of a graph: floats with these dimensions.
func value(name string, dims ...uint64) message {
	var shape message
	for _, d := range dims {
		shape = shape.in(1, message{}.num(1, d))
	}
	return message{}.text(1, name).in(2, message{}.in(1, message{}.num(1, 1).in(2, shape)))
}

// node returns the message of a node with inputs and one output.
func node(op, output string, inputs ...string) message {
	var m message
	for _, in := range inputs {
		m = m.text(inputsOfNode, in)
	}
	return m.text(outputsOfNode, output).text(typeOfNode, op)
}

// array returns the message of a tensor of floats.
func array(name, raw string, dims ...uint64) message {
	var m message
	for _, d := range dims {
		m = m.num(dimsOfTensor, d)
	}
	return m.num(typeOfTensor, 1).text(nameOfTensor, name).text(rawOfTensor, raw)
}

// model returns a file with a graph, which has an input x and an output y of four floats beside these parts.
func model(graph message) []byte {
	graph = graph.in(inputsOfGraph, value("x", 4)).in(outOfGraph, value("y", 4))
	return message{}.num(1, 8).in(opsetsOfModel, message{}.text(1, "").num(2, 17)).in(graphOfModel, graph)
}

// models are files of ONNX models.
func models() []File {
	relu := node("Relu", "y", "x")
	valid := model(message{}.in(nodesOfGraph, relu))
	graph := func(parts ...message) func() []byte {
		return func() []byte {
			var g message
			for _, p := range parts {
				g = append(g, p...)
			}
			return model(g)
		}
	}
	op := func(m message) message { return message{}.in(nodesOfGraph, m) }
	weight := func(m message) message { return message{}.in(initialOfGraph, m) }
	add := op(node("Add", "y", "x", "w"))
	sixteen := strings.Repeat("\x00", 16)
	outside := func(place string, offset, length string) message {
		m := message{}.num(dimsOfTensor, 4).num(typeOfTensor, 1).text(nameOfTensor, "w").num(whereOfTensor, 1)
		for _, e := range [][2]string{{"location", place}, {"offset", offset}, {"length", length}} {
			m = m.in(placeOfTensor, message{}.text(1, e[0]).text(2, e[1]))
		}
		return weight(m)
	}
	long := func(n int) func() []byte {
		return func() []byte {
			var g message
			last := "x"
			for i := range n {
				next := fmt.Sprint(i)
				g = g.in(nodesOfGraph, node("Relu", next, last))
				last = next
			}
			return model(g.in(nodesOfGraph, node("Relu", "y", last)))
		}
	}
	repeated := func(n int, part message) message { return message(strings.Repeat(string(part), n)) }
	forever := func(parts ...message) func() []byte { // a loop of 2^62 iterations, whose body has these parts
		body := message{}.in(inputsOfGraph, value("i")).in(inputsOfGraph, value("c")).in(outOfGraph, value("c"))
		for _, p := range parts {
			body = append(body, p...)
		}
		n := message{}.num(dimsOfTensor, 1).num(typeOfTensor, 7).text(nameOfTensor, "n").text(rawOfTensor, "\x00\x00\x00\x00\x00\x00\x00\x40")
		return graph(weight(n), op(node("Loop", "z", "n", "").in(attrsOfNode, message{}.text(1, "body").in(6, body))), op(relu))
	}
	integers := message{}.num(dimsOfTensor, 1).num(typeOfTensor, 7)
	whole := op(relu).in(inputsOfGraph, value("x", 4)).in(outOfGraph, value("y", 4))
	out := []File{
		{Name: "empty", Write: func() []byte { return nil }},
		{Name: "cut", Write: func() []byte { return valid[:len(valid)-5] }},
		{Name: "cut in the middle", Write: func() []byte { return valid[:len(valid)/2] }},
		{Name: "a field of 2^62 bytes", Write: func() []byte {
			return append(binary.AppendUvarint(message{}.num(1, 8), graphOfModel<<3|2), binary.AppendUvarint(nil, 1<<62)...)
		}},
		{Name: "a number without end", Write: func() []byte { return slices.Repeat([]byte{0xff}, 1<<16) }},
		{Name: "zeros", Large: true, Write: func() []byte { return make([]byte, 1<<20) }},
		{Name: "10^6 nodes", Large: true, Write: long(1_000_000)},
		{Name: "10^6 nodes without a meaning", Large: true, Write: func() []byte {
			return model(message(strings.Repeat(string(op(message{}.text(typeOfNode, "?"))), 1_000_000)))
		}},
		{Name: "10^6 empty tensors", Large: true, Write: func() []byte {
			return model(message(strings.Repeat(string(weight(message{})), 1_000_000)).in(nodesOfGraph, relu))
		}},
		{Name: "5 million messages", Large: true, Write: func() []byte {
			return model(message(strings.Repeat(string(op(message{})), 5<<20)))
		}},
		{Name: "10^6 attributes", Large: true, Write: func() []byte {
			m := append(slices.Clone(relu), strings.Repeat(string(message{}.in(attrsOfNode, message{}.text(1, "a"))), 1_000_000)...)
			return model(op(m))
		}},
		{Name: "graphs in graphs", Write: func() []byte {
			g := message{}.in(nodesOfGraph, relu)
			for range 1000 {
				g = op(node("If", "y", "x").in(attrsOfNode, message{}.text(1, "then_branch").in(6, g)))
			}
			return model(g)
		}},
		{Name: "a loop of many outputs", Large: true, Write: forever(repeated(1000, message{}.in(outOfGraph, value("i"))))},
		{Name: "a loop with a large weight", Large: true, Write: forever(weight(array("w", strings.Repeat("\x01", 1<<20), 1<<18)))},
		{Name: "a loop of one node with many attributes", Large: true, Write: forever(op(
			append(node("Identity", "a", "i"), repeated(10_000, message{}.in(attrsOfNode, message{}.text(1, "")))...)))},
		{Name: "a cycle", Write: graph(op(node("Add", "a", "x", "b")), op(node("Relu", "b", "a")), op(node("Relu", "y", "b")))},
		{Name: "a node of its own output", Write: graph(op(node("Add", "y", "x", "y")))},
		{Name: "an output twice", Write: graph(op(relu), op(relu))},
		{Name: "a weight twice", Write: graph(weight(array("w", sixteen, 4)), weight(array("w", sixteen, 4)), add)},
		{Name: "a weight named as the input", Write: graph(weight(array("x", sixteen, 8)), op(relu))},
		{Name: "a weight of 2^40 elements", Write: graph(weight(array("w", sixteen, 1<<40)), add)},
		{Name: "a weight whose size overflows", Write: graph(weight(array("w", sixteen, 1<<32, 1<<32)), add)},
		{Name: "a weight of negative size", Write: graph(weight(array("w", sixteen, math.MaxUint64)), add)},
		{Name: "a weight of too few bytes", Write: graph(weight(array("w", sixteen[1:], 4)), add)},
		{Name: "a weight of 100000 dimensions", Write: graph(weight(array("w", sixteen, slices.Repeat([]uint64{1}, 100_000)...)), add)},
		{Name: "a weight of an unknown type", Write: graph(weight(array("w", sixteen, 4).num(typeOfTensor, 99)), add)},
		{Name: "a weight in a device", Write: graph(outside("/dev/zero", "0", "16"), add)},
		{Name: "a weight elsewhere", Write: graph(outside("../../../../etc/passwd", "0", "16"), add)},
		{Name: "a weight at 2^63", Write: graph(outside("w.bin", "9223372036854775807", "16"), add)},
		{Name: "a weight at a negative place", Write: graph(outside("w.bin", "-16", "16"), add)},
		{Name: "a weight in itself", Accepted: true, Write: graph(outside("model.onnx", "0", "16"), add)},
		{Name: "an unknown operation", Write: graph(op(node("Launch\x1b[2J", "y", "x")))},
		{Name: "an unknown input", Write: graph(op(node("Add", "y", "x", "nothing\n")))},
		{Name: "an input of 2^62 elements", Write: func() []byte {
			return message{}.num(1, 8).in(opsetsOfModel, message{}.num(2, 17)).in(graphOfModel,
				op(relu).in(inputsOfGraph, value("x", 1<<62)).in(outOfGraph, value("y", 1<<62)))
		}},
		{Name: "expanded to 2^40", Write: graph(
			weight(integers.text(nameOfTensor, "s").text(rawOfTensor, "\x00\x00\x00\x00\x00\x01\x00\x00")),
			op(node("ConstantOfShape", "c", "s")), op(node("Add", "y", "x", "c")))},
		{Name: "no operator set", Write: func() []byte { return message{}.in(graphOfModel, op(relu)) }},
		{Name: "an operator set of the future", Write: func() []byte {
			return message{}.num(1, 8).in(opsetsOfModel, message{}.num(2, 1<<40)).in(graphOfModel, whole)
		}},
	}
	for i := range out {
		out[i].Name, out[i].Ext = "ONNX, "+out[i].Name, ".onnx"
	}
	return out
}
