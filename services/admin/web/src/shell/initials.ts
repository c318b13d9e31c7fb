// The first characters of the pinyin of each letter in the order of a dictionary; no syllable begins with i, u or v.
const firsts = [...'阿八嚓哒妸发旮哈讥咔垃妈拏噢妑七呥扨它穵夕丫帀']
const letters = 'abcdefghjklmnopqrstwxyz'
const order = new Intl.Collator('zh-CN-u-co-pinyin')

/** The initials of the pinyin of a text, as people type them to find a Chinese name: 'ddgl' of 订单管理. */
export function initials(text: string): string {
  return [...text]
    .map((one) => {
      if (!/\p{Script=Han}/u.test(one)) return one.toLowerCase()
      const next = firsts.findIndex((first) => order.compare(first, one) > 0)
      return letters[(next < 0 ? firsts.length : next) - 1] ?? ''
    })
    .join('')
}
