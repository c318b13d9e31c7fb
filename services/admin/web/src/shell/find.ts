import { useLoad } from '@shop/web/load'
import { computed, ref, watch } from 'vue'
import { useI18n } from 'vue-i18n'
import type { Schema } from '@/api'
import { areas } from '@/api/console'
import { call } from '@/console/call'
import { useMenus } from '@/console/menus'
import { word } from '@/i18n'
import { sharedAct } from '@/pages/parts/acts'
import { useSession } from '@/stores/session'
import { initials } from './initials'

/** Something that was found, and where it leads. */
export interface Found {
  readonly to: string
  readonly title: string
  readonly note: string
}

const act = sharedAct('GET', '/admin/find', { zh: '查找', en: 'Find' })
/** How many pages are offered, and for how long in ms the typing must rest before the service is asked. */
const mostPages = 6
const rest = 200

function fits(text: string, typed: string): boolean {
  const wanted = typed.toLowerCase()
  return text.toLowerCase().includes(wanted) || initials(text).startsWith(wanted)
}

/** Finds pages, what can be added, and records, by what is typed. Only what the operator may see is found. */
export function useFind() {
  const session = useSession()
  const menus = useMenus()
  const { t } = useI18n()
  const typed = ref('')
  const asked = computed(() => typed.value.trim())
  const searched = computed(() => asked.value.length > 1 && session.may(act.permission))
  /** What the last answer is about: an older one must not be opened by the Enter that ends another word. */
  const answered = ref('')
  const { data, failure, load } = useLoad<Schema<'system.Hit'>[]>(
    (signal) => call(act, { keyword: asked.value }, { signal }),
    { later: true },
  )
  const current = computed(() => !searched.value || answered.value === asked.value)
  const records = computed(() => (searched.value && current.value ? data.value : undefined) ?? [])

  async function search(): Promise<void> {
    const keyword = asked.value
    await load()
    if (keyword === asked.value) answered.value = keyword
  }

  let timer = 0
  watch(asked, () => {
    clearTimeout(timer)
    answered.value = ''
    if (searched.value) timer = window.setTimeout(() => void search(), rest)
  })

  const pages = computed(() =>
    menus.value
      .flatMap(({ group, places }) =>
        places.flatMap((place): Found[] => {
          const title = word(place.page.label)
          const create = place.area?.create
          const adds = create && create.fields.length > 0 && session.may(create.permission)
          return [
            { to: place.path, title, note: word(group.label) },
            ...(adds
              ? [
                  {
                    to: `${place.path}?open=new`,
                    title: `${title}: ${word(create.button)}`,
                    note: t('shell.find.command'),
                  },
                ]
              : []),
          ]
        }),
      )
      .filter(
        ({ title, to }) =>
          asked.value === '' || fits(title, asked.value) || to.endsWith('/' + asked.value.toLowerCase()),
      )
      .slice(0, mostPages),
  )

  const found = computed<Found[]>(() => [
    ...records.value.map(({ kind, id, title, note }) => ({
      to: `/${areas[kind]?.page}?open=${id}`,
      title,
      note: [t(`shell.find.kind.${kind}`), note].filter(Boolean).join(' · '),
    })),
    ...pages.value,
  ])
  const none = computed(() => asked.value !== '' && current.value && found.value.length === 0)
  return { typed, found, none, failure }
}
