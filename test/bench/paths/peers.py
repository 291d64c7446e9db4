# Other tools on the same pages, each as a short script would use it. `peers.py` names those that are installed;
# `peers.py PATH TOOL URL FOLDER` prints what one cost: seconds, CPU seconds, megabytes, lines.
import csv, http.client, importlib.util, io, json, os, resource, shutil, sqlite3, subprocess, sys, time
from urllib.parse import urlparse

BATCH = ['id', 'recordedAtUtc', 'siteId', 'siteExternalId', 'siteName', 'machineId', 'machineExternalId', 'machineName',
         'machineModel', 'totalPrice', 'totalTax']
LINE = ['id', 'selection', 'vendOrder', 'productId', 'productName', 'productUpc', 'size', 'taxRate', 'taxCharged',
        'commission', 'quantity', 'unitPrice', 'totalPrice', 'vendWasSuccessful', 'recordedAtUtc', 'occurredAtUtc',
        'occurredAtLocalTime']
HEADER = BATCH + ['lineItem.' + name for name in LINE] + ['paymentInformation.type']
SORTED = 'lineItem.totalPrice'


def bodies(url):
    at = urlparse(url)
    line = http.client.HTTPConnection(at.hostname, at.port)
    page = total = 1
    while page <= total:
        line.request('POST', '/reports/transactions', b'{}', {'page': str(page)})
        answer = line.getresponse()
        total = int(answer.headers['total-pages'])
        yield answer.read()
        page += 1


def batches(url):
    import orjson
    for body in bodies(url):
        yield from orjson.loads(body)


def rows(batch):
    head = [batch[name] for name in BATCH]
    payment = batch['paymentInformation']
    tail = [payment['type'] if payment else None]
    for line in batch['lineItems']:
        yield head + [line[name] for name in LINE] + tail


def python_csv(url, folder):
    with open(folder + '/peer.csv', 'w', newline='') as out:
        writer = csv.writer(out)
        writer.writerow(HEADER)
        for batch in batches(url):
            writer.writerows(rows(batch))


def python_ndjson(url, folder):
    import orjson
    with open(folder + '/peer.ndjson', 'wb') as out:
        for batch in batches(url):
            out.write(orjson.dumps(batch) + b'\n')


def python_sqlite(url, folder):
    store = sqlite3.connect(folder + '/peer.db')
    names = ', '.join(f'"{name}"' for name in HEADER)
    store.execute(f'CREATE TABLE line_items ({names}, PRIMARY KEY ("id", "lineItem.id"))')
    insert = f"INSERT INTO line_items VALUES ({', '.join('?' for _ in HEADER)})"
    for batch in batches(url):
        store.executemany(insert, rows(batch))
    store.commit()
    store.close()


def csv_lines(file):
    with open(file, newline='') as source:
        for row in csv.DictReader(source):
            if row['lineItem.vendWasSuccessful'] == 'true':
                yield row['lineItem.occurredAtLocalTime'], row['lineItem.quantity'], row['lineItem.totalPrice']


def ndjson_lines(file):
    import orjson
    with open(file, 'rb') as source:
        for text in source:
            for line in orjson.loads(text)['lineItems']:
                if line['vendWasSuccessful']:
                    yield line['occurredAtLocalTime'], line['quantity'], str(line['totalPrice'])


def python_summary(lines):
    from decimal import Decimal
    def summary(file):
        days = {}
        for at, quantity, price in lines(file):
            day = days.setdefault(at[:10], [0, Decimal(0)])
            day[0] += int(quantity)
            day[1] += Decimal(price)
        print(len(days), file=sys.stderr)
    return summary


def polars_frame(body):
    import polars as pl
    line = pl.col('lineItems').struct.rename_fields(['lineItem.' + name for name in LINE])
    frame = pl.read_json(io.BytesIO(body)).explode('lineItems').with_columns(
        line, pl.col('paymentInformation').struct.field('type').alias('paymentInformation.type'))
    return frame.drop('paymentInformation').unnest('lineItems')


def polars_csv(url, folder):
    with open(folder + '/peer.csv', 'wb') as out:
        for number, body in enumerate(bodies(url)):
            polars_frame(body).write_csv(out, include_header=number == 0)


def polars_parquet(url, folder):
    import pyarrow.parquet as pq
    writer = None
    for body in bodies(url):
        table = polars_frame(body).to_arrow()
        writer = writer or pq.ParquetWriter(folder + '/peer.parquet', table.schema)
        writer.write_table(table.cast(writer.schema))
    writer.close()


def polars_sort(url, folder):
    import polars as pl
    pl.concat([polars_frame(body) for body in bodies(url)]).sort(SORTED, nulls_last=True).write_csv(folder + '/peer.csv')


def polars_summary(file):
    import polars as pl
    day = pl.col('lineItem.occurredAtLocalTime').str.slice(0, 10)
    print(pl.scan_csv(file, infer_schema_length=0).filter(pl.col('lineItem.vendWasSuccessful') == 'true').group_by(day).agg(
        pl.col('lineItem.quantity').cast(pl.Int64).sum(), pl.col('lineItem.totalPrice').cast(pl.Float64).sum()).collect(),
        file=sys.stderr)


def duckdb_lines(url, folder):
    import duckdb
    pages = folder + '/pages'
    os.makedirs(pages)
    for number, body in enumerate(bodies(url)):
        with open(f'{pages}/{number:05}.json', 'wb') as out:
            out.write(body)
    head = ', '.join(BATCH)
    lines = ', '.join(f'l."{name}" AS "lineItem.{name}"' for name in LINE)
    source = f"(SELECT *, unnest(lineItems) AS l FROM read_json('{pages}/*.json', maximum_object_size=100000000))"
    store = duckdb.connect()
    store.execute("SET preserve_insertion_order = true")
    return store, f'SELECT {head}, {lines}, paymentInformation.type AS "paymentInformation.type" FROM {source}'


def duckdb_copy(name, options='', order=''):
    def copy(url, folder):
        store, lines = duckdb_lines(url, folder)
        store.execute(f"COPY ({lines}{order}) TO '{folder}/{name}' {options}")
    return copy


def duckdb_summary(file):
    import duckdb
    is_csv = file.endswith('csv')
    source = f"read_csv('{file}', all_varchar=true)" if is_csv else f"(SELECT unnest(lineItems) AS l FROM read_json('{file}'))"
    line = (lambda name: f'"lineItem.{name}"') if is_csv else (lambda name: f'l."{name}"')
    print(duckdb.sql(f"SELECT substr({line('occurredAtLocalTime')}::VARCHAR, 1, 10) AS day, sum({line('quantity')}::BIGINT), "
                     f"sum({line('totalPrice')}::DECIMAL(18, 4)) FROM {source} WHERE {line('vendWasSuccessful')}::BOOLEAN "
                     f"GROUP BY day").fetchall()[:1], file=sys.stderr)


def pipe(*words):
    def run(url, folder):
        with open(folder + '/peer.csv', 'wb') as out:
            child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=out)
            for body in bodies(url):
                child.stdin.write(body)
            child.stdin.close()
            assert child.wait() == 0
    return run


def command(*words):
    return lambda file: subprocess.run([*words, file], check=True, stdout=subprocess.DEVNULL)


def has(*names):
    return all(importlib.util.find_spec(name) for name in names)


JQ = ('.[] | . as $b | .lineItems[] | [$b.%s, .%s, $b.paymentInformation.type] | @csv'
      % (', $b.'.join(BATCH), ', .'.join(LINE)))
SUM = ['--icsv', '--ojson', 'filter', '$lineItem.vendWasSuccessful == "true"', 'then', 'put',
       '$day = ${lineItem.occurredAtLocalTime}[1:10]', 'then', 'stats1', '-a', 'sum', '-f',
       'lineItem.quantity,lineItem.totalPrice', '-g', 'day']
PYTHON, POLARS, DUCKDB = has('orjson'), has('polars'), has('duckdb')
ARROW, MILLER = has('polars', 'pyarrow'), shutil.which('mlr') is not None
PATHS = {
    'csv': {'polars': (POLARS, polars_csv), 'duckdb': (DUCKDB, duckdb_copy('peer.csv')),
            'python + orjson': (PYTHON, python_csv), 'jq': (shutil.which('jq') is not None, pipe('jq', '-r', JQ))},
    'ndjson': {'python + orjson': (PYTHON, python_ndjson), 'duckdb': (DUCKDB, duckdb_copy('peer.ndjson', '(FORMAT json)'))},
    'sqlite': {'python + orjson': (PYTHON, python_sqlite)},
    'parquet': {'polars + pyarrow': (ARROW, polars_parquet), 'duckdb': (DUCKDB, duckdb_copy('peer.parquet'))},
    'sort': {'polars': (POLARS, polars_sort), 'duckdb': (DUCKDB, duckdb_copy('peer.csv', '', f' ORDER BY "{SORTED}" NULLS LAST'))},
    'summary of csv': {'duckdb': (DUCKDB, duckdb_summary), 'polars': (POLARS, polars_summary),
                       'python': (True, python_summary(csv_lines)), 'Miller': (MILLER, command('mlr', *SUM))},
    'summary of ndjson': {'duckdb': (DUCKDB, duckdb_summary), 'python + orjson': (PYTHON, python_summary(ndjson_lines))},
}

if len(sys.argv) == 1:
    print(json.dumps({path: [tool for tool, (is_there, _) in tools.items() if is_there] for path, tools in PATHS.items()}))
else:
    path, tool, *rest = sys.argv[1:]
    start = time.monotonic()
    PATHS[path][tool][1](*rest)
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = sum(each.ru_utime + each.ru_stime for each in (own, children))
    unit = 1024 if sys.platform == 'linux' else 1024 * 1024
    print(json.dumps({'seconds': time.monotonic() - start, 'cpuSeconds': cpu,
                      'megabytes': max(own.ru_maxrss, children.ru_maxrss) / unit}))
