import type { Router } from 'vue-router'
import type { Schema } from '@/api'

export type Address = Schema<'address.Address'>
/** What is sent to write an address; with the id 0 it is a new one. */
export type AddressBody = Omit<Address, 'userId' | 'addTime' | 'updateTime' | 'deleted'>

export function bodyOf(a: Address): AddressBody {
  const { id, name, tel, province, city, county, areaCode, addressDetail, isDefault, postalCode } = a
  return { id, name, tel, province, city, county, areaCode, addressDetail, isDefault, postalCode }
}

/** The page that asked for an address, with the one that was chosen. */
export function withAddress(router: Pick<Router, 'resolve'>, back: string, id: number) {
  const { path, query, hash } = router.resolve(back)
  return { path, query: { ...query, address: id }, hash }
}
