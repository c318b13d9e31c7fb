// The words of the service, whose rules these are.
export default {
  missing: '缺少{name}',
  number: '{name}应为整数',
  amount: '{name}应为金额，最多两位小数',
  range: '{name}应在 {min} 到 {max} 之间',
  low: '{name}不能小于 {n}',
  high: '{name}不能大于 {n}',
  short: '{name}不能少于 {n} 个字',
  long: '{name}不能超过 {n} 个字',
  many: '{name}最多 {n} 项',
  choose: '{name}：请从查找结果中选择一项',
  stays: '{name}不能清空，请填写新的值',
}
