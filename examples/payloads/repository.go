package payloads

//go:generate go tool msgp -file repository.go -o repository_msgp.go -tests=false -d "tag json" -v
//go:generate go tool easyjson -all -no_std_marshalers -output_filename repository_easyjson.go repository.go

// Document is the message of the first seed: what GitHub's API said of a
// repository in 2011. 461 bytes as JSON, 373 as MessagePack.
type Document struct {
	Repository Repository `json:"repository"`
}

// Repository has its fields in the order of the original message. Its counts
// are unsigned: msgp writes a signed 173 in three bytes where two do.
type Repository struct {
	Watchers        uint   `json:"watchers"`
	HasWiki         bool   `json:"has_wiki"`
	URL             string `json:"url"`
	OpenIssues      uint   `json:"open_issues"`
	Homepage        string `json:"homepage"`
	HasIssues       bool   `json:"has_issues"`
	Forks           uint   `json:"forks"`
	Fork            bool   `json:"fork"`
	Language        string `json:"language"`
	IntegrateBranch string `json:"integrate_branch"`
	CreatedAt       string `json:"created_at"`
	MasterBranch    string `json:"master_branch"`
	Size            uint   `json:"size"`
	Private         bool   `json:"private"`
	Name            string `json:"name"`
	Owner           string `json:"owner"`
	HasDownloads    bool   `json:"has_downloads"`
	PushedAt        string `json:"pushed_at"`
	Description     string `json:"description"`
}

// RepositoryValue returns the document as a struct.
func RepositoryValue() *Document {
	return &Document{Repository{
		Watchers:        173,
		HasWiki:         true,
		URL:             "https://github.com/flori/json",
		OpenIssues:      21,
		Homepage:        "http://flori.github.com/json",
		HasIssues:       true,
		Forks:           35,
		Language:        "Ruby",
		IntegrateBranch: "master",
		CreatedAt:       "2009/08/24 15:21:39 -0700",
		MasterBranch:    "master",
		Size:            572,
		Name:            "json",
		Owner:           "flori",
		HasDownloads:    true,
		PushedAt:        "2011/07/08 07:34:34 -0700",
		Description:     "JSON implementation for Ruby",
	}}
}

// RepositoryMap returns the document as a generic value, as the seed had it.
func RepositoryMap() map[string]any {
	return map[string]any{"repository": map[string]any{
		"watchers":         uint(173),
		"has_wiki":         true,
		"url":              "https://github.com/flori/json",
		"open_issues":      uint(21),
		"homepage":         "http://flori.github.com/json",
		"has_issues":       true,
		"forks":            uint(35),
		"fork":             false,
		"language":         "Ruby",
		"integrate_branch": "master",
		"created_at":       "2009/08/24 15:21:39 -0700",
		"master_branch":    "master",
		"size":             uint(572),
		"private":          false,
		"name":             "json",
		"owner":            "flori",
		"has_downloads":    true,
		"pushed_at":        "2011/07/08 07:34:34 -0700",
		"description":      "JSON implementation for Ruby",
	}}
}
