package stats
import ("testing";"fmt";"os";"bufio";"strings";"strconv";"math";"math/rand/v2";"slices")
func TestZZ(t *testing.T){
 ps:=[]float64{.25,.1,.05,.025,.003,.0015,.00015,.00005,3.3333333333333335e-5,6.666666666666667e-5,1e-8,1e-12}
 f,_:=os.Open("/tmp/tq.txt"); sc:=bufio.NewScanner(f); worst:=0.0; worstc:=0.0
 for sc.Scan(){ w:=strings.Fields(sc.Text()); df,_:=strconv.ParseFloat(w[0],64)
  for i,p:=range ps { want,_:=strconv.ParseFloat(w[i+1],64); got:=-StudentQuantile(p,df); e:=math.Abs(got/want-1); if e>worst{worst=e; fmt.Println(df,p,got,want,e)}
   c:=StudentCDF(-want,df); e=math.Abs(c/p-1); if e>worstc{worstc=e; fmt.Println("cdf",df,p,c,e)}}}
 fmt.Println(StudentQuantile(.975,2e6),StudentQuantile(.975,1e6),StudentQuantile(.975,9.9e5),NormalQuantile(.975))
 fmt.Println(dip([]float64{1,1,2,2}),dip([]float64{0,2,3,5,6}),dip([]float64{0,1,3,6}),dip([]float64{1,2,2,2,2,2,2,2,2,2}))
 sf:=[]float64{30,33,35,36,37,37,39,39,39,39,39,40,40,40,40,41,42,43,43,43,44,44,45,45,46,47,47,48,48,48,49,50,50,51,52,52,53,53,53,53,53,54,54,57,57,59,60,60,60,61,61,61,61,62,62,62,62,63,66,70,72,72}
 fmt.Println(len(sf),dip(sf))
 r:=rand.New(rand.NewPCG(1,2))
 for _,n:=range []int{20,30,50,100,200,500,1000,5000}{ k:=4000; if n>=1000{k=1500}; if n>2000{k=500}; ds:=make([]float64,k); xs:=make([]float64,n)
  for i:=range ds{ for j:=range xs{xs[j]=r.Float64()}; slices.Sort(xs); ds[i]=dip(xs)}
  fmt.Println(n, Quantile(ds,.95), Quantile(ds,.99), "sqrt:", math.Sqrt(float64(n))*Quantile(ds,.95), math.Sqrt(float64(n))*Quantile(ds,.99)) }
}
