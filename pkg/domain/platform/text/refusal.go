package text

// Refusals in any area.
var (
	Unknown    = add("unknown", "%s不存在或已删除", "%s does not exist or was deleted")
	EndsBefore = add("ends-before", "结束时间应晚于开始时间", "the end must be later than the start")
)

// Refusals about goods, brands and categories.
var (
	BrandHasGoods       = add("brand.has-goods", "品牌下还有 %d 件商品", "there are still %d goods of the brand")
	CategoryHasGoods    = add("category.has-goods", "分类下还有 %d 件商品", "there are still %d goods in the category")
	CategoryHasChildren = add("category.has-children", "分类下还有 %d 个子分类",
		"there are still %d categories below the category")
	CategoryParent = add("category.parent", "上级分类不存在，或不是一级分类",
		"the parent category does not exist or is not of the first level")
	SpecificationTwice = add("goods.specification-twice", "规格「%s」的值「%s」重复",
		"the specification %s has the value %s twice")
	ProductTwice = add("goods.product-twice", "规格为「%s」的货品重复", "there are two products of the specification %s")
	ProductUnfit = add("goods.product-unfit", "每个货品须从每种规格中各选一个值，且不能与其他货品相同",
		"each product needs one value of each specification, and no two products may be alike")
	GoodsRestructured = add("goods.restructured", "不能增加、删除或更换商品的规格和货品",
		"specifications and products of goods cannot be added, removed or exchanged")
	CSVFault = add("sheet.fault", "第 %d 行「%s」：%s", "line %d, %s: %s")
	CSVLine  = add("sheet.line", "第 %d 行：%s", "line %d: %s")
)

// Faults of a cell in a CSV file of goods.
var (
	CellMissing    = add("sheet.cell.missing", "缺少内容", "is missing")
	CellMalformed  = add("sheet.cell.malformed", "内容不正确", "is not right")
	CellUnknown    = add("sheet.cell.unknown", "没有这个名称，或有多个", "nothing is called so, or several are")
	CellTaken      = add("sheet.cell.taken", "商店里已有同名商品", "other goods of the shop have this name")
	CellTwice      = add("sheet.cell.twice", "与另一行重复", "another line has it too")
	CellDiffers    = add("sheet.cell.differs", "与该商品第一行不一致", "differs from the first line of the goods")
	CellUnreadable = add("sheet.cell.unreadable", "不是 UTF-8 编码的 CSV 文件", "is no CSV file in UTF-8")
	CellTooMany    = add("sheet.cell.toomany", "行数太多", "there are too many lines")
)

// Refusals about pictures and other files.
var (
	FileUnfit          = add("file.unfit", "文件为空，或不是支持的类型", "the file is empty or of a type that is not supported")
	PictureBroken      = add("picture.broken", "图片无法读取", "the picture cannot be read")
	PictureTooLarge    = add("picture.too-large", "图片尺寸太大：%d × %d", "the picture is too large: %d by %d")
	PictureTooDetailed = add("picture.too-detailed", "图片太大，请缩小尺寸或降低色深后再上传",
		"the picture is too large: make it smaller, or store it with fewer colours")
	UploadGone   = add("upload.gone", "图片已过期，请重新上传", "the picture was removed unused: upload it again")
	UploadsBusy  = add("upload.busy", "上传人数太多，请稍后再试", "too many pictures are being uploaded, try again later")
	FilmTooLarge = add("picture.film-too-large", "动图的帧数太多或尺寸太大",
		"the animation has too many frames or too large ones")
)

// Refusals about settings.
var (
	SettingUnknown = add("setting.unknown", "没有设置项 %s", "there is no setting %s")
	SettingWrong   = add("setting.wrong", "设置 %s 的值不正确", "the value of the setting %s is not right")
)

// Refusals of requests that are too frequent or come from the wrong place.
var (
	TooMany     = add("rate.too-many", "操作太频繁，请稍后再试", "too many requests, try again later")
	ContentType = add("request.content-type", "请求的 Content-Type 应为 application/json",
		"the Content-Type must be application/json")
	CommentedToday = add("comment.once-a-day", "同一商品每天只能评价一次", "goods can be commented on once a day")
)
