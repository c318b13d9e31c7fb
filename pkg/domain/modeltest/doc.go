// Package modeltest contains no code but the tests that compare the areas working together with models written from the
// contract: every short sequence of events in the life of an order, and random traffic of shoppers, operators, jobs and
// the payment platform. docs/guarantees.md describes them.
package modeltest
