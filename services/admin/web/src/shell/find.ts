import { useLoad } from '@shop/web/load'
import { computed, ref, watch } from 'vue'
import { useI18n } from 'vue-i18n'
import type { Schema } from '@/api'
import { areas, operations } from '@/api/console'
import { call } from '@/console/call'
import { useMenus } from '@/console/menus'
import type { Act } from '@/console/shape'
import { word } from '@/i18n'
import { useSession } from '@/stores/session'
import { initials } from './initials'

/** Something that was found, and where it leads. */
export interface Found {
  readonly to: string
  readonly title: string
  readonly note: string
}

const path = '/admin/find'
const act: Act = {
  path,
  method: 'GET',
  permission: operations[`GET ${path}`] ?? '',
  button: { zh: '查找', en: 'Find' },
  fields: [],
}
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
  const { data, failure, loading, load } = useLoad<Schema<'find.Hit'>[]>(
    (signal) => call(act, { keyword: asked.value }, { signal }),
    { later: true },
  )
  const records = computed(() => (asked.value.length > 1 && session.may(act.permission) ? data.value : undefined) ?? [])

  let timer = 0
  watch(asked, () => {
    clearTimeout(timer)
    if (asked.value.length > 1 && session.may(act.permission)) timer = window.setTimeout(() => void load(), rest)
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
  const none = computed(() => asked.value !== '' && !loading.value && found.value.length === 0)
  return { typed, found, none, failure }
}
