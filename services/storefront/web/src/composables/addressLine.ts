import type { Schema } from '@/api'
import { i18n } from '@/i18n'

type Parts = Pick<Schema<'address.Address'>, 'province' | 'city' | 'county' | 'addressDetail'>

/** An address in one line, as it stands on a parcel. English names a city that is its own province once. */
export function addressLine({ province, city, county, addressDetail }: Parts): string {
  if (i18n.global.locale.value.startsWith('zh')) return `${province}${city}${county} ${addressDetail}`
  const parts = [province, city, county, addressDetail]
  return parts.filter((part, at) => part !== parts[at - 1]).join(', ')
}
