import { expect, type APIRequestContext } from '@playwright/test'

/** The password of every operator of the tests, and of the demo shop. */
export const password = 'demo-shop-1'

/** The logins of this process: an operator logs in once. */
const tokens = new Map<string, string>()

/** Asks the service, beside the page. */
export async function ask<T>(request: APIRequestContext, token: string, path: string, body?: object): Promise<T> {
  const headers = { 'X-Shop-Admin-Token': token }
  const answer = body ? await request.post(path, { headers, data: body }) : await request.get(path, { headers })
  const { errno, errmsg, data } = (await answer.json()) as { errno: number; errmsg: string; data: T }
  expect(errno, `${path}: ${errmsg}`).toBe(0)
  return data
}

/** The token of an operator. */
export async function tokenOf(request: APIRequestContext, username: string): Promise<string> {
  const known = tokens.get(username)
  if (known) return known
  const { token } = await ask<{ token: string }>(request, '', '/admin/auth/login', { username, password })
  tokens.set(username, token)
  return token
}

/** A name that nobody has yet. */
export function newName(before: string): string {
  return before + Math.random().toString(36).slice(2, 10)
}

/** A new operator with a role of these permissions. */
export async function newOperator(request: APIRequestContext, ...permissions: string[]): Promise<string> {
  const owner = await tokenOf(request, 'super')
  const username = newName('staff')
  const role = await ask<{ id: number }>(request, owner, '/admin/role/create', { name: username, enabled: true })
  await ask(request, owner, '/admin/role/permissions', { roleId: role.id, permissions })
  await ask(request, owner, '/admin/admin/create', { username, password, roleIds: [role.id] })
  return username
}
