export default {
  missing: '{name} is missing',
  number: '{name} must be an integer',
  amount: '{name} must be an amount with at most two decimals',
  range: '{name} must be between {min} and {max}',
  low: '{name} must be at least {n}',
  high: '{name} must be at most {n}',
  short: '{name} must have at least {n} characters',
  long: '{name} must have at most {n} characters',
  many: '{name} must have at most {n} items',
  choose: '{name}: choose one of what is found',
  stays: '{name} cannot be left empty: enter another value',
}
