import {describe, expect, test} from 'vitest'
import {type PageChart, type PageData, pageCharts} from '../../../../src/formats/write/html/page-data.js'
import {emptyPage, samplePage} from '../../../support/page-data.js'

describe('the pages that tests draw', () => {
  test('have data for every chart, or none', () => {
    const sizeOf = (page: PageData, chart: PageChart) => {
      const list = chart === 'heatmap' ? page.heat : page[chart]
      return ('groups' in list ? list.groups : list).length
    }
    const sizes = (page: PageData) => pageCharts.map((chart) => sizeOf(page, chart))

    expect(sizes(samplePage()).every((size) => size > 0)).toBe(true)
    expect(sizes(emptyPage())).toEqual([0, 0, 0, 0, 0])
  })
})
