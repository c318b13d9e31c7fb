import type { Same } from '@shop/web/same'
import type zh from '../zh/promotion'

const en: Same<typeof zh> = {
  title: {
    groups: 'Group offers',
    group: 'Invitation to a group',
    coupons: 'Coupons',
  },
  groups: {
    how: 'Buy together with friends: when the group is complete everybody pays the group price, otherwise you get your money back.',
    empty: 'There are no group offers right now',
    members: '{n} people',
    open: 'Start a group',
    join: 'Join the group',
    confirm: 'Go to checkout',
    others: 'See other offers',
    gone: 'This invitation is not valid, or the person who started the group has not paid yet',
    state: {
      open: 'A friend invites you to buy together',
      full: 'This group is complete',
      over: 'This group has ended',
    },
    next: { own: 'The offer is still on: you can start a group of your own.', others: 'Have a look at other offers.' },
    steps: {
      choose: 'Choose an option and check your order',
      pay: 'Pay the group price, and you are in',
      wait: 'With {n} people your order is sent; otherwise you get your money back',
    },
  },
  coupons: {
    hint: 'At the checkout the best of your coupons is chosen for you.',
    mine: 'My coupons',
    empty: 'There are no coupons to claim right now',
    emptyText: 'Come back in a few days.',
    shop: 'Look around',
    use: 'Use it',
  },
}

export default en
