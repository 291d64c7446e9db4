import {millisecondsPerDay, toMilliseconds} from '../../../values/date-time.js'
import {createDecimalSum} from '../../../values/decimal-sum.js'
import type {PageCounts, PageData} from './page-data.js'

export type Unit = 'day' | 'month' | 'year'
/** A day, month or year that has lines, such as `2024-07`. */
export type Period = PageCounts & {readonly period: string; readonly isPart: boolean}

const lengths: Record<Unit, number> = {day: 10, month: 7, year: 4}

/** Days as they are, or exact sums by month, by year at last, where there are more of them than `most`. */
export function toPeriods(days: PageData['days'], most: number, unit: Unit = 'day'): {unit: Unit; periods: Period[]} {
  const lists = Map.groupBy(days, ({day}) => day.slice(0, lengths[unit]))
  if (lists.size > most && unit !== 'year') return toPeriods(days, most, unit === 'day' ? 'month' : 'year')
  return {
    unit,
    periods: [...lists].map(([period, list]) => ({
      period,
      ...addCounts(list),
      isPart: unit === 'day' && list.some((day) => day.isPart),
    })),
  }
}

/** What several counts add up to. */
export function addCounts(all: readonly PageCounts[]): PageCounts {
  const [quantity, totalPrice, failedPrice] = [createDecimalSum(), createDecimalSum(), createDecimalSum()]
  const counts = {lines: 0, failedLines: 0}
  for (const one of all) {
    counts.lines += one.lines
    counts.failedLines += one.failedLines
    quantity.add(one.quantity)
    totalPrice.add(one.totalPrice)
    failedPrice.add(one.failedPrice)
  }

  return {...counts, quantity: quantity.text, totalPrice: totalPrice.text, failedPrice: failedPrice.text}
}

/** From one day, month or moment to another, which may be the same: `2024-07-01 … 2024-07-31`. */
export function toSpan(from: string, to: string): string {
  return from === to ? from : `${from} … ${to}`
}

/** How many days there are from the first to the last, both included. */
export function daysOf({from, to}: {readonly from: string; readonly to: string}): number {
  const day = (text: string) => toMilliseconds(text.slice(0, 10)) ?? 0
  return (day(to) - day(from)) / millisecondsPerDay + 1
}
