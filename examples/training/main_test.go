package main

// The example in the README.
func Example() {
	main()
	// Output:
	// weights [2.6 -1.6 -0.1 1.8 -2.0], loss 0.17
}
