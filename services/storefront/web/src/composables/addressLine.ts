import type { Schema } from '@/api'
import { i18n } from '@/i18n'
import { inChina } from '@shop/web/settings'

type Parts = Partial<Pick<Schema<'address.Address'>, 'province' | 'city' | 'county' | 'addressDetail' | 'postalCode'>>

/**
 * An address in one line, as it stands on a parcel. English names a city that is its own province once; outside China
 * nothing is empty, and the postal code is the last part.
 */
export function addressLine(address: Parts): string {
  const { province = '', city = '', county = '', addressDetail = '', postalCode = '' } = address
  const parts = [province, city, county, addressDetail]
  if (!inChina()) return [...parts, postalCode].filter((part, at, all) => part && part !== all[at - 1]).join(', ')
  if (i18n.global.locale.value.startsWith('zh')) return `${province}${city}${county} ${addressDetail}`
  return parts.filter((part, at) => part !== parts[at - 1]).join(', ')
}
