export default {
  title: '搜索',
  history: '搜索历史',
  hot: '热门搜索',
  forget: '清空搜索历史',
  sure: '清空后无法恢复，确定要清空吗？',
  yes: '清空',
  forgotten: '搜索历史已清空',
  clear: '清空输入',
}
