package orders

// View renders an order as operators see it, in UTC.
var View = orderHandlers{}.order
