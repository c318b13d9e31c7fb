export default {
  waiting: 'Waiting for you',
  charts: 'How the shop is doing',
  range: 'Range',
  days: '{n} days',
  day: 'Day',
  table: 'Show as a table',
  drawn: '{name}, a line chart of the last {n} days',
  tile: {
    toShip: 'To ship',
    refunds: 'Refunds requested',
    aftersale: 'After-sale to decide',
    cases: 'Money and tasks',
  },
  total: { orderTotal: 'Orders', userTotal: 'Shoppers', goodsTotal: 'Goods', productTotal: 'Products' },
  chart: { orders: 'Received orders', goods: 'Goods sold', users: 'New shoppers' },
  member: { amount: 'Amount', orders: 'Orders', customers: 'Customers', products: 'Pieces', users: 'Registrations' },
}
