package order

// View renders an order as operators see it, in UTC.
var View = handlers{}.order
