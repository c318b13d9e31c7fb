import { defineAsyncComponent, type Component } from 'vue'

/** What is shown below a record beside its members, by area: it gets the row, and what the service read. */
export const extras: Readonly<Record<string, Component>> = {
  ad: defineAsyncComponent(() => import('@/pages/promotion/BannerExtra.vue')),
  category: defineAsyncComponent(() => import('@/pages/category/CategoryActs.vue')),
  comment: defineAsyncComponent(() => import('@/pages/comment/CommentActs.vue')),
  admin: defineAsyncComponent(() => import('@/pages/rights/AdminRights.vue')),
  role: defineAsyncComponent(() => import('@/pages/rights/RoleRights.vue')),
  coupon: defineAsyncComponent(() => import('@/pages/promotion/CouponExtra.vue')),
  freight: defineAsyncComponent(() => import('@/pages/freight/FreightExtra.vue')),
  groupon: defineAsyncComponent(() => import('@/pages/promotion/GroupExtra.vue')),
  topic: defineAsyncComponent(() => import('@/pages/promotion/TopicExtra.vue')),
  notice: defineAsyncComponent(() => import('@/pages/inbox/NoticeReceipts.vue')),
}

/** What tries the values of a form before they are saved, by area: it gets them as they would be sent. */
export const trials: Readonly<Record<string, Component>> = {
  coupon: defineAsyncComponent(() => import('@/pages/promotion/CouponTrial.vue')),
  groupon: defineAsyncComponent(() => import('@/pages/promotion/GroupTrial.vue')),
}
