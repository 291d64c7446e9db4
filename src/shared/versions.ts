import {budgetSchema} from './schema/budget.js'
import {changesSchema} from './schema/changes.js'
import {marksSchema} from './schema/marks.js'

/** Each version is what it adds to the one before it. One that was released is never changed. */
export const versions: readonly (readonly string[])[] = [
  [
    `CREATE FUNCTION vendorctl.clock() RETURNS timestamptz LANGUAGE sql VOLATILE
      SET search_path = pg_catalog, pg_temp AS 'SELECT clock_timestamp()'`,
    `COMMENT ON FUNCTION vendorctl.clock() IS 'The only clock of this schema'`,
    budgetSchema,
    marksSchema,
    changesSchema,
  ],
]
