export default {
  intro: {
    mall: 'The name of the shop and how to reach it, as on its page about itself, in titles and before text messages.',
    express: 'What sending costs, by the amount of the goods. A change counts for orders from then on.',
    order: 'When unpaid orders are cancelled, shipped ones count as received, and comments close. A job sees to it.',
    wx: 'How much of each kind the home page of the shop shows, and whether posters to share goods are made.',
    channel:
      'How shoppers can pay, in the order in which they see it. Which channels there are is set in the configuration of the deployment. Payments and refunds that have begun go on when a channel is switched off.',
    message:
      'Text messages to shoppers, and mails to operators. Senders are set in the configuration of the deployment.',
  },
  use: {
    title: 'In the last 30 days',
    below: '{n} of {orders} orders were below the amount of free freight.',
    charged: '{n} of them paid freight.',
    unpaid: '{n} orders wait for their payment now.',
    expired: '{n} orders were cancelled because they were not paid in time.',
    shipped: '{n} orders are under way.',
    received: '{n} orders counted as received by time.',
    new: '{n} new goods are on sale.',
    hot: '{n} popular goods are on sale.',
    brands: 'There are {n} brands.',
    categories: 'There are {n} categories of the first level.',
  },
  channel: {
    title: 'Payment channels',
    empty: 'The configuration of the deployment has no payment channel: nothing can be paid online.',
    none: 'Choose at least one',
    otherCurrency: 'Does not take the currency of the shop; shoppers do not see it',
    and: ', ',
    kind: {
      app: 'in the mini program',
      page: 'on a page',
      redirect: 'on the page of the platform',
      qr: 'by scanning a code',
      offline: 'by transfer or in the shop, recorded by staff',
      delivery: 'on delivery, recorded by staff',
    },
  },
  message: {
    title: 'Messages',
    sms: 'Text messages',
    mail: 'Mails',
    smsWhat: 'Codes, payments, parcels and refunds, to shoppers.',
    mailWhat: 'New orders, refunds to decide and alarms, to operators.',
    on: 'Connected',
    off: 'Not set up',
    testWhat:
      'A text message brings the code 000000, which is good for nothing. At most five in ten minutes; each leaves an audit record.',
    sent: 'The sender has taken it. See whether it arrives.',
  },
}
