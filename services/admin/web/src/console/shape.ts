// The shape of what the service's declarations say of its operations; api/console.ts holds it, and is generated.

/** A text in both languages. */
export interface Label {
  readonly zh: string
  readonly en: string
}

/** What the type of a member does not say. */
export interface Show {
  readonly as: 'picture' | 'link' | 'long' | 'rich' | 'time' | 'secret' | 'of' | 'one'
  /** As 'of': the id of the area whose list the id points into. */
  readonly of?: string
  /** As 'one': the values with their names. */
  readonly one?: readonly { readonly value: number | string | boolean; readonly label: Label }[]
}

/** A member of a request. */
export interface Field {
  readonly name: string
  readonly label: Label
  readonly kind: 'integer' | 'id' | 'boolean' | 'text' | 'decimal' | 'list' | 'object'
  /** Of a list. */
  readonly item?: Field
  /** Of an object. */
  readonly members?: readonly Field[]
  readonly required?: true
  readonly notBlank?: true
  /** The bounds of a number, of the characters of a text, of the items of a list. */
  readonly min?: number
  readonly max?: number
  readonly enum?: readonly string[]
  readonly default?: string
  readonly doc?: string
  readonly show?: Show
}

/** A member of an answer. */
export interface Member {
  readonly name: string
  readonly label: Label
  readonly kind: 'integer' | 'number' | 'money' | 'time' | 'boolean' | 'text' | 'list' | 'object'
  readonly show?: Show
}

/** A member of a row that the table of a list shows. */
export interface Column extends Member {
  /** It opens the record. */
  readonly opens?: true
  /** It is switched in the table. */
  readonly switches?: true
  /** The value of sort that orders the list by it. */
  readonly sort?: string
}

/** An operation. */
export interface Act {
  readonly path: string
  readonly method: 'GET' | 'POST'
  /** The permission that it requires; "" where it requires only a login. */
  readonly permission: string
  readonly button: Label
  readonly fields: readonly Field[]
  /** The member of the request that has the fields, where others stand beside it. */
  readonly record?: string
  /** The maximum size in bytes of the file that an upload sends. */
  readonly limit?: number
}

/** The operation that lists the records of an area. */
export interface ListAct extends Act {
  readonly columns: readonly Column[]
  readonly row: readonly Member[]
  readonly sorts: readonly string[]
  readonly paged: boolean
  /** A row has the rows below it as its member children. */
  readonly tree?: true
  /** It can be asked for one record by its id. */
  readonly byId?: true
}

/** The operations on one kind of record. */
export interface Area {
  /** The second segment of the paths, such as 'ad'. */
  readonly id: string
  /** The id of its page in the menus, such as 'promotion/ad'. */
  readonly page: string
  readonly list?: ListAct
  readonly create?: Act
  readonly read?: Act
  readonly update?: Act
  readonly delete?: Act
  /** All others, such as batch-delete, export, reply. */
  readonly acts: readonly Act[]
}

/** A page of the menus. */
export interface MenuPage {
  readonly id: string
  readonly label: Label
  readonly permissions: readonly string[]
}

/** A group of pages. */
export interface MenuGroup {
  readonly id: string
  readonly label: Label
  readonly pages: readonly MenuPage[]
}
