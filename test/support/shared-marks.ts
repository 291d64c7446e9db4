import {onTestFinished} from 'vitest'
import {systemClock} from '../../src/core/clock.js'
import {openPostgres} from '../../src/core/postgres.js'
import {createSharedMarks, type SharedMarks} from '../../src/reports/register/shared-marks.js'
import {marksSchema} from '../../src/shared/schema/marks.js'
import {toPostgresAddress} from '../../src/values/database-address.js'
import {sharedPostgres} from './postgres.js'

/** A database of its own with the tables of marks. */
export async function marksDatabase(): Promise<string> {
  const server = await sharedPostgres()
  const url = await server.database()
  await server.sql(
    `CREATE SCHEMA vendorctl; CREATE FUNCTION vendorctl.clock() RETURNS timestamptz LANGUAGE sql AS 'SELECT clock_timestamp()'; ${marksSchema}`,
    url,
  )
  return url
}

/** What a process of a machine uses; `url` may lead through a proxy. */
export function marksOf(url: string, host: string, pid = 1): SharedMarks {
  const shared = createSharedMarks({
    open: () => openPostgres(toPostgresAddress(url), {name: `vendorctl ${host}`}),
    ...{key: 'ab12cd34-1', machine: {id: `${host}/${host}`, host}, clock: systemClock},
    process: {pid, command: 'vendorctl reports transactions'},
  })
  onTestFinished(() => shared.close())
  return shared
}
