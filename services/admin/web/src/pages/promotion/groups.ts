import { actOf, listed } from '../parts/acts'

const area = listed('groupon')

/** The operation that lists the groups of a rule with their members. */
export const groups = actOf(area, 'listRecord')

/** The states of a group. */
export const groupStates = [0, 1, 2, 3] as const
