import type { Same } from '@shop/web/same'
import type zh from '../zh/content'

const en: Same<typeof zh> = {
  title: {
    topics: 'Stories',
    topic: 'Story',
    help: 'Help',
  },
  topics: {
    empty: 'There are no stories yet',
    all: 'All stories',
    reads: '{n} reads',
    goods: 'Goods in this story',
    related: 'More stories',
    gone: 'This story is no longer available',
  },
  comments: {
    title: 'Comments',
    none: 'No comments yet. Say what you think.',
    write: 'Write a comment',
    stars: 'Your rating',
    text: 'Your comment',
    hint: 'What do you think?',
    send: 'Post',
    sending: 'Posting',
    sent: 'Your comment is posted',
    noStars: 'Please choose a rating',
    noText: 'Please write your comment',
    pictures: 'Pictures (optional)',
  },
  help: {
    search: 'Search questions',
    empty: 'There are no questions yet',
    none: 'No question matches',
    noneText: 'Try other words, or contact us.',
  },
}

export default en
