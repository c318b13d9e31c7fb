import { actAt, sharedAct } from '../parts/acts'

/** What a role grants, and the change of it. */
export const granted = actAt('GET', '/admin/role/permissions')
export const grant = actAt('POST', '/admin/role/permissions')
/** Who has a permission, and what an operator may do. */
export const holders = actAt('GET', '/admin/access/holders')
export const heldBy = sharedAct('GET', '/admin/access/read', holders.button)
/** Looking at the console as a role sees it. */
export const viewing = actAt('POST', '/admin/access/view')
