import { useLoad } from '@shop/web/load'
import { computed, watch } from 'vue'
import { call } from '@/console/call'
import type { Act } from '@/console/shape'
import { useSession } from '@/stores/session'

/** The numbers of records by state. The service stops counting at mostCounted. */
export type Counts = ReadonlyMap<number, number>

export const mostCounted = 1000

/** What an operation that counts by state answers, by the member that is the state. */
export function countsOf<State extends string>(
  rows: readonly (Readonly<Record<State, number>> & { readonly total: number })[],
  state: State,
): Counts {
  return new Map(rows.map((row) => [row[state], row.total]))
}

/** How many are in some states together. */
export function sumOf(counts: Counts, states: readonly number[]): number {
  return states.reduce((sum, state) => sum + (counts.get(state) ?? 0), 0)
}

/** A number that was not counted further than to the most. */
export const shownCount = (n: number) => (n < mostCounted ? String(n) : `${mostCounted - 1}+`)

/** The numbers by state as the tabs of a list show them: none until they are known. */
export function useCounts<State extends string>(act: Act, state: State) {
  const session = useSession()
  const { data, load } = useLoad<Parameters<typeof countsOf<State>>[0]>((signal) => call(act, {}, { signal }))
  watch(() => session.turn, load)
  const counts = computed(() => data.value && countsOf(data.value, state))
  const shown = (states: readonly number[]) => {
    const n = counts.value && states.length ? sumOf(counts.value, states) : 0
    return n ? shownCount(n) : ''
  }
  return { shown, load }
}
