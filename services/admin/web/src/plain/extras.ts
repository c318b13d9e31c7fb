import { defineAsyncComponent, type Component } from 'vue'

/** What is shown below a record beside its members, by area: it gets the row, and what the service read. */
export const extras: Readonly<Record<string, Component>> = {
  comment: defineAsyncComponent(() => import('@/pages/comment/CommentReply.vue')),
  notice: defineAsyncComponent(() => import('@/pages/inbox/NoticeReceipts.vue')),
}
