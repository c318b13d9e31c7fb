import { inChina } from '@shop/web/settings'
import type { Router } from 'vue-router'
import type { Schema } from '@/api'

export type Address = Schema<'address.Address'>

/** A line of the form: the names of its texts, and what its input has of its own. */
interface Line {
  label: string
  hint?: string
  /** Said where it is left empty. A line without it may be. */
  empty?: string
  input: { type?: 'tel'; rows?: number; inputmode?: 'numeric'; autocomplete?: string; maxlength?: number }
}
const of = <M extends string>(all: Record<M, Line>) => all

/** The lines in the order of the form, by the members of an address. In China the region is chosen, not written. */
export const lines = of({
  name: {
    label: 'account.address.name',
    empty: 'account.address.noName',
    input: { autocomplete: 'name', maxlength: 63 },
  },
  tel: {
    label: 'account.field.mobile',
    empty: 'account.field.noMobile',
    input: { type: 'tel', inputmode: 'numeric', autocomplete: 'tel-national' },
  },
  addressDetail: {
    label: 'account.address.detail',
    hint: 'account.address.detailHint',
    empty: 'account.address.noDetail',
    input: { rows: 2, autocomplete: 'street-address', maxlength: 127 },
  },
})
const members = Object.keys(lines) as (keyof typeof lines)[]

/** The region where it is written, outside China. */
const written = of({
  province: {
    label: 'account.address.province',
    empty: 'account.address.noProvince',
    input: { autocomplete: 'address-level1', maxlength: 63 },
  },
  city: {
    label: 'account.address.city',
    empty: 'account.address.noCity',
    input: { autocomplete: 'address-level2', maxlength: 63 },
  },
  county: { label: 'account.address.county', input: { autocomplete: 'address-level3', maxlength: 63 } },
})
const postal = of({
  postalCode: { label: 'account.address.postalCode', input: { autocomplete: 'postal-code', maxlength: 12 } },
})

type Member = keyof typeof lines | keyof typeof written | keyof typeof postal

/** The lines of the form in the country of the shop. */
export function linesHere(): [Member, Line][] {
  const { addressDetail, ...who } = lines
  const all = inChina() ? lines : { ...who, ...written, addressDetail, ...postal }
  return Object.entries(all) as [Member, Line][]
}

/** A new address. It has the members that are sent to write one. */
export const newAddress = {
  ...(Object.fromEntries(members.map((member) => [member, ''])) as Record<keyof typeof lines, string>),
  ...{ id: 0, province: '', city: '', county: '', areaCode: '', isDefault: false, postalCode: '' },
}
export type AddressBody = typeof newAddress

/** What is sent of an address. */
export function bodyOf(address: Address): AddressBody {
  const sent = Object.keys(newAddress) as (keyof AddressBody)[]
  return Object.fromEntries(sent.map((member) => [member, address[member]])) as AddressBody
}

/** The page that asked for an address, with the one that was chosen. */
export function withAddress(router: Pick<Router, 'resolve'>, back: string, id: number) {
  const { path, query, hash } = router.resolve(back)
  return { path, query: { ...query, address: id }, hash }
}
