import {format} from 'd3-format'
import {thousands} from '../../../values/counted.js'
import {millisecondsPerDay, toMilliseconds} from '../../../values/date-time.js'
import {createDecimalSum} from '../../../values/decimal-sum.js'
import type {PageCounts, PageData} from './page-data.js'

export type Unit = 'day' | 'month' | 'year'
/** A day, month or year that has lines, such as `2024-07`. */
export type Period = PageCounts & {readonly period: string; readonly isPart: boolean}

const lengths: Record<Unit, number> = {day: 10, month: 7, year: 4}

/** Days, or exact sums by month or by year where there are more than `most` of the shorter periods. */
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

/** The sum of several counts. */
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

/** The text of a span between two days, months or moments, which may be the same: `2024-07-01 … 2024-07-31`. */
export function toSpan(from: string, to: string): string {
  return from === to ? from : `${from} … ${to}`
}

/** The number of days from the first to the last, both included. */
export function daysOf({from, to}: {readonly from: string; readonly to: string}): number {
  const day = (text: string) => toMilliseconds(text.slice(0, 10)) ?? 0
  return (day(to) - day(from)) / millisecondsPerDay + 1
}

const hugeNumber = 1e300
const threeDigits = format('.3~s')
const twoDigits = format('.2~s')
const power = format('.1~e')

/** A number for drawing: amounts beyond all use are drawn as the largest number that still has a place. */
export function toSize(text: string): number {
  const size = Number(text)
  return Number.isNaN(size) ? 0 : Math.max(-hugeNumber, Math.min(hugeNumber, size))
}

/** An exact decimal number as people read it: `1,234,567.50`. */
export function grouped(text: string): string {
  const [, sign = '', integer = '', rest = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(text) ?? []
  return integer === '' ? text : `${sign}${thousands(integer)}${rest}`
}

/** Three digits of a number at most, such as `12.5k` or `3.2M`: for labels, beside which a table is exact. */
export function short(size: number, digits: 2 | 3 = 3): string {
  const positive = Math.abs(size)
  if (positive < 1e3) return String(Number(size.toPrecision(3)))
  if (positive >= 1e15) return power(size).replace('+', '').replace('−', '-')
  return (digits === 2 ? twoDigits : threeDigits)(size).replace('G', 'B').replace('−', '-')
}

/** A part of something as `2.9 %`; a small one is `< 0.1 %`, never zero. */
export function percent(part: number, all: number): string {
  if (all === 0 || part === 0) return '0 %'
  const share = (part / all) * 100
  return `${share < 0.1 ? '< 0.1' : share.toFixed(1)} %`
}
