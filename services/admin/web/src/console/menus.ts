import { computed } from 'vue'
import { menus } from '@/api/console'
import { useSession } from '@/stores/session'
import { placeFor } from './places'

/** The groups of the menus with the pages that the operator holds a permission of, without empty ones. */
export function useMenus() {
  const session = useSession()
  return computed(() =>
    menus
      .map((group) => ({
        group,
        places: group.pages
          .filter((page) => page.permissions.some((p) => session.may(p)))
          .flatMap((page) => placeFor(page.id) ?? []),
      }))
      .filter(({ places }) => places.length > 0),
  )
}
