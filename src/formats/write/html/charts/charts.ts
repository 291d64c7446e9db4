import type {PageChart, PageData, PageTop} from '../page-data.js'
import {drawBars} from './bars.js'
import {drawDays} from './days.js'
import {drawHeatmap} from './heatmap.js'
import {type Drawing, toFile} from './svg.js'

export type Kind = 'site' | 'machine' | 'product'

/** The total price of the groups that are listed. */
export function drawTop(kind: Kind, {groups}: PageTop): Drawing {
  return drawBars(
    `Total price by ${kind}`,
    groups.map((group) => ({name: nameOf(group, kind), amount: group.totalPrice})),
  )
}

/** A group by its name, or its id where it has none. */
function nameOf({id, name}: PageTop['groups'][number], kind: Kind): string {
  return name ?? id ?? `no ${kind}`
}

/** Each chart as a file of its own. */
export const charts: Readonly<Record<PageChart, (data: PageData) => string>> = {
  days: (data) => toFile(drawDays(data)),
  heatmap: (data) => toFile(drawHeatmap(data)),
  sites: ({sites}) => toFile(drawTop('site', sites)),
  machines: ({machines}) => toFile(drawTop('machine', machines)),
  products: ({products}) => toFile(drawTop('product', products)),
}
