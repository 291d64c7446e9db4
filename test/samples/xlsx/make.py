import datetime as dt, openpyxl, xlsxwriter, pandas as pd
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.utils.datetime import CALENDAR_MAC_1904
moment=dt.datetime(2024,7,30,18,7,5); fine=dt.datetime(2024,7,30,18,7,5,120000); day=dt.date(2024,7,30)
head=['id','name','price','isActive','seen','day','text']
rows=[[1001,'Zoë "A" <b> & c',10.1,True,moment,day,'00123'],[1002,'two\nlines',0.1+0.2,False,fine,day,'=1+1'],[1003,'=HYPERLINK',123456789012345,True,None,None,'  spaces  '],[1004,'😀 e\u0301',1e-7,None,moment,None,'_x0041_ \\N #REF!']]
def openpyxl_book(path, epoch=None):
    wb=openpyxl.Workbook()
    if epoch: wb.epoch=epoch
    ws=wb.active; ws.title='Sites'
    ws.append(head)
    for r in rows:
        ws.append([None]*7); n=ws.max_row if ws.max_row>1 else 2
    for i,r in enumerate(rows):
        for j,v in enumerate(r):
            c=ws.cell(row=i+2,column=j+1)
            c.value=v
            if isinstance(v,str): c.data_type='s'
    ws['B5']=CellRichText('😀 ', TextBlock(InlineFont(b=True),'e\u0301'))
    cover=wb.create_sheet('Cover',0); cover['A1']='Sites of the year'
    hidden=wb.create_sheet('Old'); hidden.sheet_state='hidden'; hidden.append(head); hidden.append([1])
    wb.save(path)
openpyxl_book('openpyxl.xlsx'); openpyxl_book('openpyxl-1904.xlsx',CALENDAR_MAC_1904)
def xw(path,**o):
    wb=xlsxwriter.Workbook(path,o); ws=wb.add_worksheet('Sites')
    t=wb.add_format({'num_format':'dd/mm/yyyy hh:mm:ss'}); f=wb.add_format({'num_format':'yyyy-mm-dd hh:mm:ss.000'}); d=wb.add_format({'num_format':'d mmm yyyy'})
    for j,h in enumerate(head): ws.write_string(0,j,h)
    for i,r in enumerate(rows):
        for j,v in enumerate(r):
            if v is None: ws.write_blank(i+1,j,None,d)
            elif isinstance(v,bool): ws.write_boolean(i+1,j,v)
            elif isinstance(v,(int,float)): ws.write_number(i+1,j,v)
            elif isinstance(v,dt.datetime): ws.write_datetime(i+1,j,v,f if v.microsecond else t)
            elif isinstance(v,dt.date): ws.write_datetime(i+1,j,v,d)
            else: ws.write_string(i+1,j,v)
    wb.close()
xw('xlsxwriter.xlsx'); xw('xlsxwriter-1904.xlsx',date_1904=True)
# what goes wrong in a sheet
wb=xlsxwriter.Workbook('troubles.xlsx'); ws=wb.add_worksheet('Sites')
for j,h in enumerate(['id','name','total','note','','']): ws.write(0,j,h)
ws.write(1,0,1001); ws.write_formula(1,1,'="Quay "&A2',None,'Quay 1001'); ws.write_formula(1,2,'=1/0',None,'#DIV/0!'); ws.write(1,3,'kept')
ws.write(2,0,1002); ws.write(2,1,'hidden row'); ws.set_row(2,None,None,{'hidden':True}); ws.write(2,2,2)
ws.merge_range(3,1,3,2,'merged'); ws.write(3,0,1003)
ws.write_rich_string(4,1,'plain ',wb.add_format({'bold':True}),'bold',' end'); ws.write(4,0,1004); ws.write_string(4,2,'5')
ws.set_column(3,3,None,None,{'hidden':True}); ws.write_comment(4,0,'a comment'); ws.autofilter(0,0,4,3); ws.freeze_panes(1,0)
wb.close()
pd.DataFrame(rows,columns=head).to_excel('pandas.xlsx',sheet_name='Sites',index=False)
