package main

// The example's output.
func Example() {
	main()
	// Output:
	// 16 weights, loss 0.22, at least 9 in 10 right: true
}
