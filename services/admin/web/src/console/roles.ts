import { onMounted, shallowRef } from 'vue'
import { api, type Schema } from '@/api'

/** The roles, by number and name. Every operator may read these. */
const roles = shallowRef<Schema<'access.RoleOption'>[]>([])
let asking: Promise<void> | undefined

/** Reads the roles; at once only where they are not being read already. */
async function read(): Promise<void> {
  const { data } = await api.get('/admin/role/options')
  if (data) roles.value = data.list
  asking = undefined
}

/** The roles with their names, read anew for each page and form that shows them. */
export function useRoles() {
  onMounted(() => (asking ??= read()))
  return roles
}
